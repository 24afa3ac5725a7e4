import { parseId } from '#kit/domain/id.ts'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import type { Option, PickerProps, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { getDepartmentTree } from '../../contract/department.ts'
import { flattenToTwoLevels, type DepartmentOption } from '../../domain/department-tree.ts'
import { DepartmentPicker } from '../department-picker.tsx'

const Picker = ({ value, multiple, max, onDone }: PickerProps) => (
  <DepartmentPicker
    value={value.map(parseId)}
    many={multiple}
    max={max}
    onDone={got => onDone(got?.map(d => ({ value: String(d.id), label: d.name })))}
  />
)

const loadDepartmentOptions = async (): Promise<readonly DepartmentOption[]> =>
  flattenToTwoLevels(await send(getDepartmentTree, {}, { quiet: true }))

const toOption = (c: DepartmentOption): Option => ({
  value: String(c.id),
  label: c.name,
  note: c.ancestorNames.join(' › ') || undefined,
})

/** The whole tree in two levels: a company has a few hundred departments at most. */
const source: RefSource = {
  search: async word => {
    const match = await loadPinyinMatcher()
    return (await loadDepartmentOptions())
      .filter(c => !word || match(c.name, word) !== undefined)
      .map(toOption)
  },
  resolveNames: async values =>
    (await loadDepartmentOptions()).filter(c => values.includes(String(c.id))).map(toOption),
  picker: Picker,
}

export default source
