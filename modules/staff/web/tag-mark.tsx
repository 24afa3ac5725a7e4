import { blank } from '#kit/contract/text.ts'
import { useCall } from '#kit/web/query.ts'
import { listTags } from '../contract/tag.ts'
import './staff.css'

/** Tags in their colours; one that is in no list any more stands grey. */
export function Tags({ of }: { readonly of: readonly string[] | undefined }) {
  const known = useCall(listTags, { page: 1, size: 200 }, { quiet: true, fresh: 300_000 })
  if (!of?.length) return <span className="absent">{blank}</span>
  return (
    <>
      {of.map(t => (
        <span
          key={t}
          className="staff-tag"
          data-color={known.data?.rows.find(x => x.name === t)?.color ?? 'grey'}
        >
          {t}
        </span>
      ))}
    </>
  )
}
