import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { StoredRichText } from '#kit/web/rich-text/rich-text.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { activities } from '../contract/activity.ts'

/** What residents read of an activity. */
export function ActivityContent({ id }: { readonly id: Id }) {
  const found = useCall(activities.get, { id }, { quiet: true })
  return (
    <Loaded query={found} height={160} rows={4}>
      {({ cover, content }) => (
        <>
          {cover !== undefined && <StoredImages fileKeys={[cover]} size={160} />}
          <StoredRichText html={content} />
        </>
      )}
    </Loaded>
  )
}
