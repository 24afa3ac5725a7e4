import type { Id } from '#kit/domain/id.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { PanelSection } from '#modules/rooms/web/public.tsx'
import { getResidentPanel } from '../contract/maintenance.ts'

/** A section from each module; the person's own facts stand beside them. */
export function PanelSections({ id }: { readonly id: Id }) {
  const panel = useCall(getResidentPanel, { id }, { keepPrevious: true, quiet: true })
  if (panel.isError) return <ErrorState error={panel.error} onRetry={() => void panel.refetch()} />
  if (!panel.data) return <RowSkeleton rows={8} />
  return (
    <div className="room-sections">
      {panel.data.sections
        .filter(section => section.key !== 'facts')
        .map(section => (
          <PanelSection section={section} key={section.key} />
        ))}
    </div>
  )
}
