import { expect, it } from 'vitest'
import { findShortcut, isTabInOpenList, type Shortcut, type ShortcutLayer } from './shortcuts.ts'

const key = (keys: string, label: string, whileTyping = true): Shortcut => ({
  keys,
  label,
  whileTyping,
  run: () => {},
})

/** A dialog, as far as a layer knows it. */
const place = (anchors: readonly string[]) => ({ contains: (anchor: string) => anchors.includes(anchor) })
const inDrawer = 'in the drawer'
const inDialog = 'in the dialog'
const drawer = place([inDrawer])
const dialog = place([inDialog])

const page: ShortcutLayer<string> = {
  keys: [key('F3', '收款码'), key('Alt J', '减免'), key('Ctrl A', '全选', false), key('N', '新增', false)],
}
const ofDrawer = { keys: [key('F3', '银行转账'), key('Ctrl Enter', '确认')], within: { current: inDrawer } }
const ofDialog = { keys: [key('Ctrl Enter', '保存')], within: { current: inDialog } }
const layers: readonly ShortcutLayer<string>[] = [ofDrawer, page, ofDialog]

const labelOf = (pressed: string, overlay?: typeof drawer, isTyping = false): string | undefined => {
  const found = findShortcut(layers, pressed, { isTyping, overlay })
  return typeof found === 'string' ? found : found?.label
}

it('the keys of a page do nothing while something covers it; the browser does not take them either', () => {
  expect(['F3', 'Alt J', 'N'].map(pressed => labelOf(pressed))).toEqual(['收款码', '减免', '新增'])
  const elsewhere = place([])
  expect(['F3', 'Alt J'].map(pressed => labelOf(pressed, elsewhere))).toEqual(['covered', 'covered'])
  // What a text box does with its keys stays its own.
  expect(['Ctrl A', 'N', 'Ctrl Enter'].map(pressed => labelOf(pressed, elsewhere))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('of two dialogs the one on top has its keys, whatever was registered last', () => {
  expect([labelOf('F3', drawer), labelOf('Ctrl Enter', drawer)]).toEqual(['银行转账', '确认'])
  expect([labelOf('F3', dialog), labelOf('Ctrl Enter', dialog)]).toEqual(['covered', '保存'])
  const hidden: ShortcutLayer<string> = { keys: [key('F3', '银行转账')], within: { current: null } }
  expect(findShortcut([hidden], 'F3', { isTyping: false, overlay: drawer })).toBe('covered')
})

it('single letters wait while somebody types', () => {
  expect([labelOf('N', undefined, true), labelOf('F3', undefined, true)]).toEqual([undefined, '收款码'])
})

it('Tab leaves a select of several values; where its list is closed nothing is taken from it', () => {
  const select = (isOpen: boolean) => ({ querySelector: () => (isOpen ? {} : null) })
  expect(isTabInOpenList('Tab', select(true))).toBe(true)
  expect(isTabInOpenList('Tab', select(false))).toBe(false)
  expect(isTabInOpenList('Enter', select(true))).toBe(false)
  expect(isTabInOpenList('Tab', null)).toBe(false)
})
