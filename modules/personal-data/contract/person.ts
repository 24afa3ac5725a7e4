import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { legalGround } from '#kit/contract/legal-ground.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { erasureTreatment } from './choices.ts'

/** The kind of record is the name of its entity; `contact` for somebody of whom there is no record. */
export const personKeyFields = {
  personKind: text('类别', { required: true, max: 40, wire: 'PersonKind' }),
  personId: idOf('人员编号', { required: true, min: 0, wire: 'PersonID' }),
  personName: text('姓名', { max: 40, wire: 'PersonName' }),
  personMobile: text('手机号', { max: 20, wire: 'PersonMobile', masked: 'mobile' }),
}

const foundPersonFields = {
  personKind: personKeyFields.personKind,
  personId: personKeyFields.personId,
  kindLabel: text('类别', { required: true }),
  name: text('姓名', { required: true }),
  mobile: text('手机号', { masked: 'mobile' }),
  idCard: text('证件号', { masked: 'idCard' }),
  /** What tells namesakes apart: a room, a company, a number. */
  place: text('所在'),
  isDeleted: flag('在回收站', { required: true }),
}

/** By a part of a name, or by a whole telephone, document number, e-mail address or plate. */
export const findPeople = call({
  route: 'GET PersonalData/GetPeople',
  logsNoInput: true,
  title: '查找人员',
  needs: menu.person.permissions.view,
  input: shape({ keyword: text('关键字', { required: true, min: 2, max: 60, wire: 'KeyWord' }) }),
  output: listOfRows(foundPersonFields),
})

/** What is kept of a person in one table. */
export const reportLineFields = {
  tableName: text('表', { required: true }),
  label: text('内容', { required: true }),
  columns: text('信息项', { required: true }),
  rowCount: int('条数', { required: true }),
  since: moment('最早'),
  purpose: text('目的', { required: true }),
  ground: choice('依据', legalGround, { required: true }),
  until: text('保存至', { required: true }),
  treatment: choice('删除时', erasureTreatment, { required: true }),
  keptReason: text('保留理由'),
  keptUntil: day('依法保留至'),
}

export const getPersonReport = call({
  route: 'GET PersonalData/GetReport',
  logsNoInput: true,
  title: '查询个人信息',
  needs: menu.person.permissions.view,
  input: shape(personKeyFields),
  output: shape({
    records: lines('人员记录', foundPersonFields, { required: true }),
    tables: lines('保存的内容', reportLineFields, { required: true }),
    transient: list('短暂保存', { required: true }),
    sharedIdentifiers: list('与他人相同的标识'),
    mentionCount: int('疑似记录', { required: true }),
  }),
})

/** Everything of the person as open files: a workbook with a sheet for each table, and the attachments. */
export const exportPerson = call({
  route: 'GET PersonalData/Export',
  logsNoInput: true,
  title: '导出个人信息',
  needs: menu.person.permissions.takeout,
  perMinute: 10,
  input: shape(personKeyFields),
  output: fileResponse,
})
