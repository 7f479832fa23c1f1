#include "rotate.hpp"

namespace auth {

class Sessions {
public:
  // Renews the keys.
  int rotate(int now) { return this->rotate(now) + rotate(now); }
  int other();
private:
  int rotate;
};

int Sessions::other() { return rotate(1); }

template <typename T> T rotate(T t) { return t; }

int login(Sessions &s, int rotate) {
  auto x = std::make_unique<Sessions>();
  x->rotate(1);
  return s.rotate(2) + auth::rotate<int>(3) + rotate;
}

}
