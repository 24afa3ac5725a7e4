import { expect, it } from 'vitest'
import type { Screen } from '#kit/contract/module.ts'
import { modules } from '#modules/index.ts'
import {
  fromBrowserManifests,
  keywordsOf,
  labelsOf,
  residentScreensOf,
  toBrowserManifests,
} from './browser-manifest.ts'

const officeScreensOf = ({ screens }: { readonly screens: readonly Screen[] }): readonly Screen[] =>
  screens.filter(({ publicPage }) => !publicPage)

it('the back office gets each of its screens with the permission it needs, and nothing more', () => {
  const sent = JSON.stringify(toBrowserManifests(modules))
  const withoutLabel = (needs: Screen['needs']): Screen['needs'] => needs && { ...needs, label: '' }
  expect(fromBrowserManifests(JSON.parse(sent))).toEqual(
    modules.map(m => ({
      name: m.name,
      screens: officeScreensOf(m).map(({ keywords: _, ...screen }: Screen) => ({
        ...screen,
        needs: withoutLabel(screen.needs),
        ...(screen.workNeeds && { workNeeds: withoutLabel(screen.workNeeds) }),
      })),
    })),
  )
  const screens = modules.flatMap<Screen>(m => m.screens)
  const keywords = keywordsOf(modules)
  expect(screens.filter(screen => keywords[screen.path] !== screen.keywords)).toEqual([])
  const labels = labelsOf(modules)
  expect(screens.filter(({ needs }) => needs && labels[needs.key] !== needs.label)).toEqual([])
  // What a screen, the work on it, or a task begun on it needs.
  const needed = new Set(
    screens.flatMap(s => [
      ...(s.needs ? [s.needs.key] : []),
      ...(s.workNeeds ? [s.workNeeds.key] : []),
      ...(s.keywords ?? []).flatMap(k => (typeof k === 'object' && k.right ? [k.right] : [])),
    ]),
  )
  const granted = modules.flatMap(m => m.menus.flatMap(n => Object.values(n.permissions).map(p => p.key)))
  expect(granted.filter(key => !needed.has(key) && sent.includes(`"${key}"`))).toEqual([])
  expect(granted.length).toBeGreaterThan(2 * needed.size)
})

it('what residents open is on their own page, needs no permission and stands in no menu', () => {
  const screens = modules.flatMap<Screen>(m => m.screens)
  const ofResidents = screens.filter(({ publicPage }) => publicPage)
  expect(ofResidents.length).toBeGreaterThan(10)
  expect(residentScreensOf(modules)).toEqual(ofResidents.map(({ path, title }) => ({ path, title })))
  expect(ofResidents.filter(s => s.needs || s.group || s.offline || !s.standalone)).toEqual([])
  // The server compares whole addresses.
  expect(ofResidents.filter(({ path }) => path.includes(':'))).toEqual([])
  expect(screens.length - ofResidents.length).toBe(
    fromBrowserManifests(toBrowserManifests(modules)).flatMap(m => m.screens).length,
  )
})
