import React, { useCallback, useEffect, useState, type FC } from 'react';
import type { Card, Column } from './model';
import styles from './board.module.css';

interface Props {
  columns: Column[];
  title?: string;
  onMove: (card: Card, to: string) => Promise<void>;
  children?: React.ReactNode;
}

type Filter = 'all' | 'mine' | { tag: string };

const initial: Filter = 'all';

export const CardView: FC<{ card: Card; selected?: boolean }> = ({ card, selected = false }) => (
  <li className={selected ? styles.selected : styles.card} data-id={card.id}>
    <strong>{card.title}</strong>
    {card.tags.length > 0 && <TagList tags={card.tags} />}
  </li>
);

export function Board({ columns, title = 'Board', onMove, ...rest }: Props): JSX.Element {
  const [filter, setFilter] = useState<Filter>(initial);
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    document.title = `${title} (${columns.length})`;
    const timer = window.setInterval(() => setError(null), 5000);
    return () => window.clearInterval(timer);
  }, [title, columns.length]);

  const move = useCallback(
    async (event: React.DragEvent<HTMLElement>, to: string) => {
      event.preventDefault();
      const id = event.dataTransfer.getData('text/plain');
      const card = columns.flatMap((c) => c.cards).find((c) => c.id === id);
      if (!card) return;
      try {
        await onMove(card, to);
      } catch (e) {
        setError(e instanceof Error ? e.message : String(e));
      }
    },
    [columns, onMove],
  );

  const visible = (card: Card): boolean => {
    if (filter === 'all') {
      return true;
    } else if (typeof filter === 'object') {
      return card.tags.includes(filter.tag);
    }
    return card.owner!.name === 'me';
  };

  if (columns.length === 0) {
    return <p className="empty">Nothing here.</p>;
  }

  return (
    <section className={styles.board} {...rest}>
      <h1>{title}</h1>
      <select value={String(filter)} onChange={(e) => setFilter(e.target.value as Filter)}>
        <option value="all">All</option>
        <option value="mine">Mine</option>
      </select>
      {error ? <div role="alert">{error}</div> : null}
      <>
        {columns.map((column, index) => (
          <Lane
            key={column.id}
            first={index === 0}
            name={column.name}
            onDrop={(event) => move(event, column.id)}
          >
            <ul>
              {column.cards.filter(visible).map((card) => (
                <CardView key={card.id} card={card} selected />
              ))}
            </ul>
            {/* the footer */}
            <footer style={{ color: 'gray', marginTop: 8 }}>{column.cards.length} cards</footer>
          </Lane>
        ))}
      </>
      <input type="text" disabled={!!error} placeholder='Add "card"' />
    </section>
  );
}

class Boundary extends React.Component<{ fallback: React.ReactNode }, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidCatch(error: Error): void {
    console.error(error);
  }

  render() {
    const { fallback, children } = this.props as Props & { fallback: React.ReactNode };
    return this.state.failed ? fallback : children;
  }
}

function Lane<T extends { name: string }>({ name, first, ...props }: T & { first: boolean }) {
  switch (name) {
    case 'done':
      return <Done.Lane {...props} />;
    default:
      break;
  }
  let rows = 0;
  for (const _ of Object.keys(props)) rows += 1;
  return first ? <div id="lane">{rows}</div> : <div />;
}

export const withBoundary = (Inner: React.ComponentType<any>) => (props: Props) => (
  <Boundary fallback={<span>failed &amp; gone</span>}>
    <Inner {...props} />
  </Boundary>
);

export default React.memo(Board);
