import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choiceTable,
  day,
  file,
  flag,
  idOf,
  list,
  lookup,
  ref,
  text,
  systemChoice,
} from '#kit/contract/field.ts'
import { bulkResult, noData, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'

export const workerState = choiceTable('WorkerState', '在职状态', {
  active: [10, '在职', 'done'],
  left: [20, '离职', 'off'],
  pending: [30, '待审核', 'todo'],
})

/**
 * Somebody who works in a company of the project. `userId` links to the resident record, where there is one.
 */
export const companyWorker = entity(
  'companyWorker',
  '企业员工',
  { table: 'company_worker', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    companyId: ref('企业', 'company', { required: true, immutable: true, wire: 'CompanyID' }),
    companyName: lookup('企业', 'companyId', 'name', { wire: 'CompanyName' }),
    userId: ref('住户', 'resident', {
      wire: 'UserID',
      immutable: true,
      hiddenIn: ['table', 'form', 'filter'],
    }),
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'WorkerName', searchable: true }),
    mobile: { ...mobileField(), searchable: true },
    position: text('职位', { max: 40 }),
    photo: file('照片', {
      wire: 'PhotoUrl',
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '本人正面照片，不超过 2048 KB',
    }),
    isAdmin: flag('管理员', { required: true, initial: false, immutable: true, hiddenIn: ['form'] }),
    inDate: day('入职日期'),
    outDate: day('离职日期', { immutable: true, hiddenIn: ['form', 'table'] }),
    state: systemChoice('状态', workerState, 'active'),
  },
)

export type CompanyWorker = Row<typeof companyWorker>

/**
 * The keyword is a part of the name, its pinyin or initials, or of the number. Deleting a worker means
 * leaving: the record stays as history, and a company keeps at least one administrator (BASE-16).
 */
export const companyWorkers = crud(companyWorker, {
  path: 'CompanyWorker',
  permissions: menu.worker.permissions,
  itemName: '员工',
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['companyId', 'state', 'isAdmin', 'createTime'],
  without: ['userId', 'isAdmin', 'outDate', 'state'],
  add: { affects: ['company'] },
  delete: { title: '企业员工离职', affects: ['company'] },
})

export const auditWorkers = call({
  route: 'PUT CompanyWorker/PutAudit',
  title: '审核企业员工',
  needs: menu.worker.permissions.audit,
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    pass: flag('通过', { required: true, wire: ['Pass', 'IsPass'] }),
    reason: text('原因', { max: 200 }),
  }),
  output: bulkResult,
  affects: ['companyWorker', 'company'],
})

/** Makes these the administrators and no others; never none. */
export const setCompanyAdmins = call({
  route: 'POST CompanyWorker/SetAdmins',
  aliases: ['PUT CompanyWorker/SetAdmins'],
  title: '设置企业管理员',
  needs: menu.worker.permissions.admin,
  affects: ['companyWorker'],
  input: shape({
    companyId: idOf('企业', { required: true, min: 1, wire: 'CompanyID' }),
    ids: {
      ...list('管理员', {
        max: 20,
        wire: ['Ids', 'WorkerIds'],
        help: '至少一位；选中的人成为管理员，其余的人不再是',
      }),
      target: 'companyWorker',
    },
  }),
  output: noData,
})
