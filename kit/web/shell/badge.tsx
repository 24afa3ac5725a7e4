/** A small count on an icon; nothing at zero. */
export const Badge = ({ n, tone }: { readonly n: number; readonly tone: 'bad' | 'doing' }) =>
  n > 0 ? (
    <span className="badge figure" data-tone={tone} aria-hidden="true">
      {n > 99 ? '99+' : n}
    </span>
  ) : null
