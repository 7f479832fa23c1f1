<?php
namespace Auth;
use function Keys\rotate;

class Sessions {
    private $rotate;
    /** Renews the keys. */
    public function rotate(int $now): void {
        $this->rotate($now);
        $this->rotate = 1;
        self::rotate($now);
    }
}

function rotate(Sessions $s, $rotate) {
    $s->rotate(1);
    $x = new Sessions();
    $x->rotate(2);
    rotate($s, $rotate);
    echo "rotate $rotate";
}
