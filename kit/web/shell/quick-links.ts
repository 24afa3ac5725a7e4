import { hasRight, useSession } from '../session.ts'
import { chooseQuickLinks } from './choose-quick-links.ts'
import { useHost } from './host.ts'
import { useFavourites, visitCounts } from './recents.ts'
import type { ModuleScreen } from './screen-map.ts'

export function useQuickLinks(): readonly ModuleScreen[] {
  const host = useHost()
  const rights = useSession(s => s.rights)
  const { all } = useFavourites()
  return chooseQuickLinks(host.screens, host.dailyScreens, key => hasRight(key, rights), {
    favourites: all.map(page => page.path),
    counts: visitCounts(),
  })
}
