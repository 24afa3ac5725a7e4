/** What other modules' screens may use of departments and staff. */
export { DepartmentPicker, DepartmentSelect, type PickedDepartment } from './department-picker.tsx'
export { Face } from './face.tsx'
export type { PickedStaff } from './picker-nodes.tsx'
export { StaffPicker, type StaffPickerProps } from './staff-picker.tsx'
