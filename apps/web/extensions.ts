import { palette } from '#kit/web/command-palette.ts'
import { registerExtensions, type Extensions } from '#kit/web/workbench.ts'
import screenKeywords from 'virtual:screen-keywords'
import { paletteGroups } from './palette-groups.ts'

export { messages } from './messages.ts'
export { tasks } from './tasks.ts'

// All of them in one file, which the shell fetches after itself: they are small, and fetch what they show.
const extensionFiles = import.meta.glob<{ extensions: Extensions }>('../../modules/*/web/extensions.ts', {
  eager: true,
})

export function loadExtensions(): void {
  palette.setGroups(paletteGroups)
  palette.setKeywords(screenKeywords)
  for (const { extensions } of Object.values(extensionFiles)) {
    registerExtensions(extensions)
  }
}
