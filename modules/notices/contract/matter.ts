import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, systemChoice, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { richTextField, richTextFilesField } from '#kit/contract/rich-text.ts'
import { bulkResult, recordIdsField, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { matterCategory, matterState } from './choices.ts'
import { projectCodesField } from './reach.ts'

const { permissions } = menu.matter
const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const

/** How residents get something done: steps, papers, whom to call. */
export const matter = entity(
  'matter',
  '事项',
  { table: 'matter', tenancy: 'company', title: 'title', order: ['category', 'sort', 'id'] },
  {
    title: text('事项', { required: true, max: 80, searchable: true }),
    category: choice('分类', matterCategory, { required: true, initial: 'other' }),
    steps: richTextField('办理步骤', { required: true, wire: 'Content' }),
    contentFiles: richTextFilesField(),
    materials: text('所需材料', { max: 1000, ...inForm, help: '每行一项' }),
    place: text('办理地点', { max: 100, hiddenIn: ['filter'] }),
    hours: text('办理时间', { max: 60, hiddenIn: ['filter'] }),
    servicePhone: text('咨询电话', { max: 20, rule: rules.phone, hiddenIn: ['filter'] }),
    projectCodes: { ...projectCodesField, hiddenIn: ['table', 'filter', 'sheet'] },
    sort: int('排序', {
      required: true,
      min: 0,
      max: 9999,
      initial: 0,
      help: '数值小的排在前',
      hiddenIn: ['filter'],
    }),
    state: systemChoice('状态', matterState, 'draft'),
  },
)

export type Matter = Row<typeof matter>

export const matters = crud(matter, {
  path: 'Matter',
  permissions,
  filters: ['category', 'state'],
  without: ['contentFiles', 'state'],
})

export const setMatterState = call({
  route: 'PUT Matter/UpdateState',
  title: '发布或停用事项',
  needs: permissions.publish,
  input: shape({ ids: recordIdsField, state: choice('状态', matterState, { required: true }) }),
  output: bulkResult,
  affects: ['matter'],
})
