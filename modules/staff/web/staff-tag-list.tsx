import { emptyPlaceholder } from '#kit/contract/text.ts'
import { useCall } from '#kit/web/query.ts'
import { staffTags } from '../contract/tag.ts'
import './staff.css'

/** Tags in their colours; one that is in no list any more is grey. */
export function StaffTagList({ of }: { readonly of: readonly string[] | undefined }) {
  const known = useCall(staffTags.list, { page: 1, size: 200 }, { quiet: true, staleMs: 300_000 })
  if (!of?.length) return <span className="absent">{emptyPlaceholder}</span>
  return (
    <>
      {of.map(tag => (
        <span
          key={tag}
          className="staff-tag"
          data-color={known.data?.rows.find(x => x.name === tag)?.color ?? 'grey'}
        >
          {tag}
        </span>
      ))}
    </>
  )
}
