import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, file, flag, int, list, ref, text, through } from '#kit/contract/field.ts'
import { bulk, byIdsWhy, draftOf, nothing, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule } from '#modules/residents/contract/words.ts'
import { menu } from '../module.ts'

export const workerState = choiceTable('WorkerState', '在职状态', {
  active: [10, '在职', 'done'],
  left: [20, '离职', 'off'],
  pending: [30, '待审核', 'todo'],
})

/** Somebody who works in a company of the project. `userId` joins him to the residents, where he is one. */
export const companyWorker = entity(
  'companyWorker',
  '企业员工',
  { table: 'company_worker', reach: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateOf(),
    companyId: ref('企业', 'company', { required: true, fixed: true, wire: 'CompanyID' }),
    companyName: through('企业', 'companyId', 'name', { wire: 'CompanyName' }),
    userId: ref('住户', 'resident', { wire: 'UserID', fixed: true, notIn: ['table', 'form', 'filter'] }),
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'WorkerName', sought: true }),
    mobile: { ...mobileField(), sought: true },
    position: text('职位', { max: 40 }),
    photo: file('照片', {
      wire: 'PhotoUrl',
      notIn: ['table', 'filter', 'sheet'],
      help: '本人正面照片，不超过 2048 KB',
    }),
    isAdmin: flag('管理员', { required: true, initial: false, fixed: true, notIn: ['form'] }),
    inDate: day('入职日期'),
    outDate: day('离职日期', { fixed: true, notIn: ['form', 'table'] }),
    state: choice('状态', workerState, { required: true, initial: 'active', fixed: true, notIn: ['form'] }),
  },
)

export type CompanyWorker = Row<typeof companyWorker>
const draft = draftOf(companyWorker, ['userId', 'isAdmin', 'outDate', 'state'])

/** The keyword is a part of the name, its pinyin or initials, or of the number. */
export const listWorkers = call({
  at: 'GET CompanyWorker/Get',
  title: '查询企业员工',
  needs: menu.worker.may.view,
  input: search(companyWorker, ['companyId', 'state', 'isAdmin', 'createTime']),
  output: pageOf(companyWorker),
})

export const addWorker = call({
  at: 'POST CompanyWorker/Post',
  title: '新增企业员工',
  needs: menu.worker.may.add,
  input: draft,
  output: oneOf(companyWorker),
  affects: ['companyWorker', 'company'],
})

export const editWorker = call({
  at: 'PUT CompanyWorker/Put',
  title: '编辑企业员工',
  needs: menu.worker.may.edit,
  input: draft,
  output: oneOf(companyWorker),
  affects: ['companyWorker'],
})

/** The worker leaves; his record stays as history. A company keeps at least one administrator (BASE-16). */
export const deleteWorkers = call({
  at: 'DELETE CompanyWorker/Delete',
  title: '企业员工离职',
  needs: menu.worker.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['companyWorker', 'company'],
})

export const auditWorkers = call({
  at: 'PUT CompanyWorker/PutAudit',
  title: '审核企业员工',
  needs: menu.worker.may.audit,
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    pass: flag('通过', { required: true, wire: ['Pass', 'IsPass'] }),
    reason: text('原因', { max: 200 }),
  }),
  output: bulk,
  affects: ['companyWorker', 'company'],
})

/** Makes these the administrators and no others; never none. */
export const setAdmins = call({
  at: 'POST CompanyWorker/SetAdmins',
  names: ['PUT CompanyWorker/SetAdmins'],
  title: '设置企业管理员',
  needs: menu.worker.may.admin,
  affects: ['companyWorker'],
  input: shape({
    companyId: int('企业', { required: true, min: 1, wire: 'CompanyID' }),
    ids: list('管理员', { max: 20, wire: ['Ids', 'WorkerIds'] }),
  }),
  output: nothing,
})
