/** What other modules' screens may use of departments and staff. */
export { DepartmentPicker, DepartmentSelect, type PickedDepartment } from './department-picker.tsx'
export { StaffAvatar } from './staff-avatar.tsx'
export type { PickedStaff } from './staff-picker-nodes.tsx'
export { StaffPicker, type StaffPickerProps } from './staff-picker.tsx'
