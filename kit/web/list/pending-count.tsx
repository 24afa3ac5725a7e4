import { measureText } from '../cell-renderers.tsx'
import { formatCount } from '../numbers.tsx'

interface PendingCountProps {
  readonly like: number
  /** Of its text, in px. */
  readonly size?: number
  readonly strong?: boolean
}

/** In the place of a number that is still being counted: as wide as this one. */
export const PendingCount = ({ like, size = 14, strong = false }: PendingCountProps) => (
  <i
    className="pending"
    style={{ inlineSize: (measureText(formatCount(like), strong) * size) / 14 }}
    aria-hidden
  />
)
