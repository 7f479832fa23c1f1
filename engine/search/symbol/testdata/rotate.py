"""rotate things"""
from keys import rotate
import keys

class Sessions(Base):
    rotate = None

    def rotate(self, now: int) -> None:
        """Renew the keys. Slowly."""
        self.rotate(now)

def login(s: Sessions, rotate=None):
    s.rotate(1)
    rotate()
    return f"{rotate}"

def logout():
    x = Sessions()
    x.rotate(1)
    keys.rotate(rotate=2)
    rotate(3)
    handlers = [rotate for k in keys]

@rotate
def other():
    for rotate in range(3):
        print(rotate)
    # rotate
