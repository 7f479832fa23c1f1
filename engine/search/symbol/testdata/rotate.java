package auth;

import static keys.Keys.rotate;

/** Sessions rotate. */
public class Sessions {
    private int rotate;

    /** Renews the keys. Slowly. */
    public void rotate(int now) {
        this.rotate(now);
        rotate(now);
        int y = rotate;
    }

    void login(Sessions s, int rotate) {
        s.rotate(rotate);
        new Sessions().rotate(2);
        Runnable r = s::rotate;
        String t = "rotate";
    }
}

interface Rotator { void rotate(int now); }
