import { matcher } from '#kit/web/pinyin.ts'
import type { Option, PickerProps, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { departmentTree } from '../../contract/department.ts'
import { inTwoLevels, type Choice } from '../../domain/tree.ts'
import { DepartmentPicker } from '../department-picker.tsx'

const Picker = ({ value, many, max, onDone }: PickerProps) => (
  <DepartmentPicker
    value={value.map(Number)}
    many={many}
    max={max}
    onDone={got => onDone(got?.map(d => ({ value: String(d.id), label: d.name })))}
  />
)

const all = async (): Promise<readonly Choice[]> =>
  inTwoLevels(await send(departmentTree, {}, { quiet: true }))

const optionOf = (c: Choice): Option => ({
  value: String(c.id),
  label: c.name,
  note: c.under.join(' › ') || undefined,
})

/** The whole tree in two levels: a company has a few hundred departments at most. */
const source: RefSource = {
  find: async word => {
    const match = await matcher()
    return (await all()).filter(c => !word || match(c.name, word) !== undefined).map(optionOf)
  },
  name: async values => (await all()).filter(c => values.includes(String(c.id))).map(optionOf),
  picker: Picker,
}

export default source
