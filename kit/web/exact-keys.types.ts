import { defineActions, useAllowedActions, type Actions } from './action.tsx'
import { defineColumns } from './columns.tsx'
import { defineFormFields, defineFormGroups } from './form/form-fields.tsx'
import { defineShortcuts } from './shortcuts.ts'

// What must not compile: keys that nobody reads, in literals that the compiler would let pass elsewhere.
const run = (): void => {}
const keys = ['a', 'b']

export const actions: Actions = defineActions([{ label: '甲', run }, false, undefined])
// @ts-expect-error `permission` is `needs`
defineActions(keys.map(label => ({ label, permission: undefined, run })))
// @ts-expect-error the same behind a spread
defineActions([{ label: '甲', run }, ...keys.map(label => ({ label, why: '', run }))])

export function useTypes(): void {
  const allowedActions = useAllowedActions()
  allowedActions([{ label: '甲', run }, ...(keys.length ? [{ label: '乙', danger: true, run }] : [])])
  // @ts-expect-error `why` is `disabledReason`
  allowedActions([{ label: '甲', run }, ...(keys.length ? [{ label: '乙', why: '', run }] : [])])
}

interface Row {
  readonly name: string
}

defineColumns<Row>()(['name', { key: 'name', strong: true, render: row => row.name }])
// @ts-expect-error `drop` is `hidePriority`
defineColumns<Row>()(keys.map(key => ({ key, drop: 1 })))

defineFormFields(['name', { key: 'name', isHidden: () => true }])
// @ts-expect-error `hidden` is `isHidden`
defineFormFields(keys.map(key => ({ key, hidden: () => true })))
// @ts-expect-error a group has `keys`
defineFormGroups([{ fields: [] }])

defineShortcuts([{ keys: 'N', label: '新增', run, whileTyping: true }])
// @ts-expect-error `aside` is `displayOnly`
defineShortcuts(keys.map(key => ({ keys: key, label: '', run, aside: true })))
