import { call, everyone } from '#kit/contract/call.ts'
import { text } from '#kit/contract/field.ts'
import { noData, listOfRows, shape } from '#kit/contract/shape.ts'

const settingKeyRule = {
  name: 'setupKey',
  test: (v: string) =>
    /^[A-Za-z][\w:./-]*$/.test(v) ? undefined : '设置名应以字母开头，只含字母、数字和 : . / -',
}

const settingKeyField = text('设置', { required: true, max: 120, rule: settingKeyRule, wire: 'SetupKey' })

/** At most so many settings of one operator, each of so many characters. */
export const userSettingLimits = { keys: 500, length: 20_000 } as const

/** The caller's own settings: all, one (`SetupKey`), or those whose name begins so (`Prefix`). */
export const getUserSettings = call({
  route: 'GET UserSetup/Get',
  aliases: ['NinternalUserSetup/Get', 'oa/v1/NinternalUserSetup/Get'],
  title: '读取个人设置',
  needs: everyone,
  duringSetup: true,
  input: shape({
    key: { ...settingKeyField, required: false as const },
    prefix: text('名称开头', { max: 120 }),
  }),
  output: listOfRows({ key: settingKeyField, value: text('内容', { required: true, wire: 'SetupJson' }) }),
})

/** The value is JSON text; without one the setting is forgotten. */
export const saveUserSetting = call({
  route: 'PUT UserSetup/Put',
  aliases: ['NinternalUserSetup/Put', 'oa/v1/NinternalUserSetup/Put'],
  title: '保存个人设置',
  needs: everyone,
  input: shape({
    key: settingKeyField,
    value: text('内容', { max: userSettingLimits.length, wire: 'SetupJson' }),
  }),
  output: noData,
})
