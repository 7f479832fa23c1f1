export const View = ({ rotate }: Props) => <div onClick={() => rotate(1)} rotate="x">rotate {s.rotate()}</div>;
