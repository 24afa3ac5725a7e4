import { list } from '#kit/contract/field.ts'

/** Of which projects something is: chosen ones, or all of the company. */
export const projectCodesField = list('项目', {
  max: 500,
  dataDomain: 'project',
  wire: 'Projectcodes',
  target: 'estate',
  targetBy: 'key',
  help: '不选为全部项目，包括以后新增的项目',
})
