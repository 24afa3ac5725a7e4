import { createRefSource, type PickerProps } from '#kit/web/refs.ts'
import { listEstates } from '../../contract/estate.ts'
import { EstatePicker } from '../estate-picker.tsx'

const Picker = ({ value, multiple, max, onDone }: PickerProps) => (
  <EstatePicker
    value={value}
    many={multiple}
    max={multiple ? max : undefined}
    onDone={got =>
      onDone(got?.selectedCodes.map((code, i) => ({ value: code, label: got.selectedNames[i] ?? code })))
    }
  />
)

export default createRefSource(listEstates, {
  value: e => e.projectCode,
  label: e => e.name,
  note: e => e.projectCode,
  disabledReason: e => (e.state === 'off' ? '项目已停用' : undefined),
  picker: Picker,
})
