import { parseId } from '#kit/domain/id.ts'
import { createRefSource, type PickerProps } from '#kit/web/refs.ts'
import { pickStaff } from '../../contract/staff.ts'
import { StaffPicker } from '../staff-picker.tsx'

const Picker = ({ value, multiple, max, onDone }: PickerProps) => (
  <StaffPicker
    value={value.map(parseId)}
    many={multiple}
    max={multiple ? max : undefined}
    onDone={got => onDone(got?.map(s => ({ value: String(s.id), label: s.name, note: s.departmentName })))}
  />
)

/** People of the company who have not left, by name, pinyin, number or phone. */
export default createRefSource(pickStaff, {
  value: s => s.id,
  label: s => s.name,
  note: s => [s.departmentName, s.position].filter(Boolean).join(' · '),
  disabledReason: s => (s.state === 'left' ? '已离职' : undefined),
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
  picker: Picker,
})
