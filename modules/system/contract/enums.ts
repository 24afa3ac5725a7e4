import { call, everyone } from '#kit/contract/call.ts'
import { flag, int, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'

/** One choice of one enumeration (G-1). `code` where it is a number, `codeText` always. */
export const enumValueFields = {
  enumName: text('枚举名', { required: true }),
  enumLabel: text('枚举', { required: true }),
  code: int('值'),
  codeText: text('值（文本）', { required: true }),
  name: text('名称', { required: true }),
  color: text('颜色含义', {
    help: 'done 完成，doing 进行，todo 待办，bad 异常，hold 挂起，open 可用，off 停用',
  }),
  sort: int('排序', { required: true }),
  isSystem: flag('系统内置', { required: true }),
}

/** All enumerations, or one by its name. */
export const listEnums = call({
  route: 'GET enums/get',
  aliases: ['Enums/GetCodeValues', 'getenums'],
  title: '查询枚举',
  needs: everyone,
  openToKeys: true,
  duringSetup: true,
  input: shape({ enumName: text('枚举名', { max: 60, wire: ['EnumName', 'Name'] }) }),
  output: listOfRows(enumValueFields),
})
