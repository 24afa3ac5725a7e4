/** A small count on an icon; nothing at zero. */
export const Badge = ({ count, tone }: { readonly count: number; readonly tone: 'bad' | 'doing' }) =>
  count > 0 ? (
    <span className="badge figure" data-tone={tone} aria-hidden="true">
      {count > 99 ? '99+' : count}
    </span>
  ) : null
