import { createRefSource, type PickerProps } from '#kit/web/refs.ts'
import { listBuildings } from '../../contract/building.ts'
import { FloorPicker } from '../floor-picker.tsx'
import { useProject } from '../use-project.ts'

function Picker({ value, multiple, max, formValues, onDone }: PickerProps) {
  const project = useProject()
  return (
    <FloorPicker
      depth="building"
      many={multiple}
      {...(max && multiple ? { max } : {})}
      projectCode={typeof formValues.projectCode === 'string' ? formValues.projectCode : project}
      value={value.map(buildCode => ({ buildCode }))}
      onDone={got => onDone(got?.map(b => ({ value: b.buildCode, label: b.buildName ?? b.buildCode })))}
    />
  )
}

/** Buildings of the form's estate, or of the one chosen above. */
export default createRefSource(listBuildings, {
  value: b => b.code,
  label: b => b.name,
  note: b => b.estateName,
  inputFromContext: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  dependsOn: ['projectCode'],
  picker: Picker,
})
