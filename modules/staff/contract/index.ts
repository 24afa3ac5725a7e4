import * as department from './department.ts'
import * as staff from './staff.ts'
import * as tag from './tag.ts'
import * as words from './labels.ts'

export const contract = {
  calls: [
    department.getDepartmentTree,
    department.getStaffTree,
    department.listDepartments,
    department.addDepartment,
    department.editDepartment,
    department.deleteDepartments,
    staff.listStaff,
    staff.listTicketSellers,
    staff.listAllStaff,
    staff.getStaff,
    staff.addStaff,
    staff.editStaff,
    staff.deleteStaff,
    staff.updateStaffAvatar,
    staff.moveStaff,
    staff.resignStaff,
    staff.tagStaff,
    staff.untagStaff,
    ...staff.importStaff.calls,
    ...staff.exportStaff.calls,
    tag.listStaffTags,
    tag.getStaffTag,
    tag.addStaffTag,
    tag.editStaffTag,
    tag.deleteStaffTags,
  ],
  entities: [department.department, staff.staff, tag.staffTag],
  choices: [words.staffState, words.staffGender, tag.tagColor],
}
