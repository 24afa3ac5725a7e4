import { formatCount } from '../numbers.tsx'
import { summarizeChosen, type ChosenLeaves } from './tree-selection.ts'

/** What is chosen so far, 清空, and for several the switch between tree and list. */
export function PickerFooter({
  chosen,
  multiple,
  unit,
  listing,
  onClear,
  onListing,
}: {
  readonly chosen: ChosenLeaves
  readonly multiple: boolean
  readonly unit: string
  /** The chosen leaves are listed instead of the tree. */
  readonly listing: boolean
  readonly onClear: () => void
  readonly onListing: (listing: boolean) => void
}) {
  const [first] = chosen.values()
  return (
    <>
      <span aria-live="polite">
        {multiple ? (
          <>
            已选 <b>{formatCount(chosen.size)}</b> {unit}
          </>
        ) : first ? (
          <>
            已选 <b>{first.fullName ?? first.label}</b>
          </>
        ) : (
          '尚未选择'
        )}
      </span>
      {multiple && <small className="ellipsis">{summarizeChosen(chosen)}</small>}
      <span className="spring" />
      {chosen.size > 0 && (
        <button type="button" className="linkish" onClick={onClear}>
          清空
        </button>
      )}
      {multiple && chosen.size > 0 && (
        <button type="button" className="linkish" aria-pressed={listing} onClick={() => onListing(!listing)}>
          {listing ? '返回选择' : '查看已选'}
        </button>
      )}
    </>
  )
}
