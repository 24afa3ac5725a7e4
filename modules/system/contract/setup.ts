import { call, everyone } from '#kit/contract/call.ts'
import { text } from '#kit/contract/field.ts'
import { nothing, rowsOf, shape } from '#kit/contract/shape.ts'

const keyRule = {
  name: 'setupKey',
  test: (v: string) =>
    /^[A-Za-z][\w:./-]*$/.test(v) ? undefined : '设置名应以字母开头，只含字母、数字和 : . / -',
}

const key = text('设置', { required: true, max: 120, rule: keyRule, wire: 'SetupKey' })

/** At most so many settings of one operator, each of so many characters. */
export const setupLimits = { keys: 500, length: 20_000 } as const

/** One's own settings: all, one (`SetupKey`), or those whose name begins so (`Prefix`). */
export const getSetup = call({
  at: 'GET UserSetup/Get',
  names: ['NinternalUserSetup/Get'],
  title: '读取个人设置',
  needs: everyone,
  input: shape({ key: { ...key, required: false as const }, prefix: text('名称开头', { max: 120 }) }),
  output: rowsOf({ key, value: text('内容', { required: true, wire: 'SetupJson' }) }),
})

/** The value is JSON text; without one the setting is forgotten. */
export const putSetup = call({
  at: 'PUT UserSetup/Put',
  names: ['NinternalUserSetup/Put'],
  title: '保存个人设置',
  needs: everyone,
  input: shape({ key, value: text('内容', { max: setupLimits.length, wire: 'SetupJson' }) }),
  output: nothing,
})
