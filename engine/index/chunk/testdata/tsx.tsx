import React, { useState } from 'react';

interface Props {
  title: string;
}

/** A button that counts. */
export const Counter: React.FC<Props> = ({ title }) => {
  const [n, setN] = useState(0);
  return <button onClick={() => setN(n + 1)}>{title} {n}</button>;
};

export function Page() {
  return (
    <main>
      <Counter title="x" />
    </main>
  );
}

export const Memo = React.memo(function Memo(p: Props) {
  return <i>{p.title}</i>;
});

export default Page;
