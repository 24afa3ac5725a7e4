import { useQuery } from '@tanstack/react-query'
import { useLiveConnection } from '#kit/web/live.ts'
import { hasPermission, useSession } from '#kit/web/session.ts'
import type { ShellBand } from '#kit/web/workbench.ts'
import { loadRights } from './rights.ts'
import '#kit/web/shell/band.css'
import '#kit/web/shell/page-bands.css'

const bandFiles = import.meta.glob<{ bands: readonly ShellBand[] }>('../../modules/*/web/bands.ts', {
  eager: true,
})
const bands = Object.values(bandFiles).flatMap(file => file.bands)

const rightsStaleMs = 60_000

/** What modules must show over every page, in the shell and outside. */
export default function PageBands() {
  useLiveConnection()
  const userId = useSession(s => s.signed?.manager.id)
  const { data: rights } = useQuery({
    queryKey: ['rights', userId],
    queryFn: ({ signal }) => loadRights(signal),
    staleTime: rightsStaleMs,
  })
  if (!rights) return null
  return <>{bands.map(({ needs, Draw }) => hasPermission(needs, rights) && <Draw key={needs.key} />)}</>
}
