import * as department from './department.ts'
import * as staff from './staff.ts'
import * as tag from './tag.ts'
import * as words from './labels.ts'

export const contract = {
  calls: [
    department.getDepartmentTree,
    department.getStaffTree,
    ...department.departments.calls,
    ...staff.staffs.calls,
    staff.pickStaff,
    staff.listTicketSellers,
    staff.listAllStaff,
    staff.updateStaffAvatar,
    staff.moveStaff,
    staff.resignStaff,
    staff.tagStaff,
    staff.untagStaff,
    ...staff.importStaff.calls,
    ...staff.exportStaff.calls,
    ...tag.staffTags.calls,
  ],
  entities: [department.department, staff.staff, tag.staffTag],
  choices: [words.staffState, words.staffGender, tag.tagColor],
}
