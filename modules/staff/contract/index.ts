import * as department from './department.ts'
import * as staff from './staff.ts'
import * as tag from './tag.ts'
import * as words from './words.ts'

export const contract = {
  calls: [
    department.departmentTree,
    department.staffTree,
    department.listDepartments,
    department.addDepartment,
    department.editDepartment,
    department.deleteDepartments,
    staff.listStaff,
    staff.ticketSellers,
    staff.allStaff,
    staff.oneStaff,
    staff.addStaff,
    staff.editStaff,
    staff.deleteStaff,
    staff.updateHead,
    staff.moveStaff,
    staff.leaveStaff,
    staff.addTags,
    staff.dropTags,
    ...staff.importStaff.calls,
    ...staff.exportStaff.calls,
    tag.listTags,
    tag.oneTag,
    tag.addTag,
    tag.editTag,
    tag.deleteTags,
  ],
  entities: [department.department, staff.staff, tag.staffTag],
  choices: [words.staffState, words.staffGender, tag.tagColor],
}
