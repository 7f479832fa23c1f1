// Copyright the authors of the fixture.
#include <memory>
#include <string>

#define SHAPE_LIMIT 10

namespace shapes::detail {

/// A shape with an area.
template <typename T>
class Shape {
 public:
  explicit Shape(T id) : id_(id) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
  bool operator==(const Shape& other) const { return id_ == other.id_; }
  static constexpr int kMax = 4;

 private:
  T id_;
};

enum class Color : int { Red, Green };
using ShapePtr = std::unique_ptr<Shape<int>>;
struct Point { double x, y; };

// Out of line, with a nested name.
double Circle::Inner::area() const {
  return 3.14 * r_ * r_;
}

template <class T>
T& Registry<T>::at(const std::string& name) {
  return items_.at(name);
}

static int counter = 0;

}  // namespace shapes::detail

int main(int argc, char** argv) {
  return argc > 1 ? 0 : 1;
}


SHAPES_BEGIN_NAMESPACE

class SHAPES_API Square final : private Shape<int> {
 public:
  SHAPES_INLINE double area() const override { return side_ * side_; }

 private:
  double side_;
};

SHAPES_EXPORT int squares();
SHAPES_END_NAMESPACE
