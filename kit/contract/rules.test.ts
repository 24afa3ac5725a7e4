import { expect, it } from 'vitest'
import { birthDateOf, computeCheckDigit, sexOf } from './id-card.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { rules, type RuleName } from './rules.ts'

const ok = undefined
const emoji = '😀'

const cases: {
  readonly [name in RuleName]: readonly (readonly [value: string, message: string | undefined])[]
} = {
  required: [
    ['', '此项不能为空'],
    ['  ', '此项不能为空'],
    ['0', ok],
  ],
  length: [['', ok]],
  mobile: [
    ['13800138000', ok],
    ['19912345678', ok],
    ['12800138000', '手机号格式不正确'],
    ['1380013800', '手机号格式不正确'],
    ['138001380001', '手机号格式不正确'],
    ['１３８00138000', '手机号格式不正确'],
    ['', ok],
  ],
  landline: [
    ['0755-12345678', ok],
    ['010-1234567', ok],
    ['400-123-4567', ok],
    ['4001234567', ok],
    ['0755-12345678-01', ok],
    ['075512345678', '格式为：区号-号码'],
    ['12345678', '格式为：区号-号码'],
  ],
  phone: [
    ['13800138000', ok],
    ['0755-12345678', ok],
    ['123', '请输入手机号，或格式为：区号-号码'],
  ],
  idCard: [
    ['11010519491231002X', ok],
    ['11010519491231002x', ok],
    ['440304199002290014', '身份证号中的出生日期不存在'],
    ['110105194912310021', '身份证号校验位不正确，请核对'],
    ['991105194912310021', '身份证号前两位不是有效的省份代码'],
    ['11010519491231', '身份证号应为18位数字，最后一位可以是X'],
    ['H12345678', ok],
    ['M1234567890', ok],
    ['A123456(3)', ok],
    ['A1234563', ok],
    ['A123456(4)', '港澳证件号格式不正确，如 H12345678 或 A123456(3)'],
    ['1234567(8)', ok],
    ['（', '港澳证件号格式不正确，如 H12345678 或 A123456(3)'],
  ],
  bankAccount: [
    ['123456789012345', ok],
    ['12345678901234567890', ok],
    ['1234567890123456', '银行账号应为15位或20位数字，且不以0开头'],
    ['012345678901234', '银行账号应为15位或20位数字，且不以0开头'],
  ],
  bankCard: [
    ['6222021234567890123', ok],
    ['123', '银行卡号应为15到20位数字，且不以0开头'],
  ],
  chineseName: [
    ['张三', ok],
    ['买买提·吐尔逊', ok],
    ['𠮷野', ok],
    ['张3', '姓名只能输入汉字'],
    ['·张', '姓名只能输入汉字'],
    ['Tom', '姓名只能输入汉字'],
  ],
  password: [
    ['abc123', ok],
    ['a!@#$%^&*()_+-=', ok],
    ['abc12', '长度在 6 到 15 个字符'],
    ['abcdefghijklmnop', '长度在 6 到 15 个字符'],
    ['abc 123', '不能包含中文或空格'],
    ['密码abc123', '不能包含中文或空格'],
  ],
  lettersDigits: [
    ['abc', ok],
    ['A1', ok],
    ['a_b', '只能输入字母和数字'],
  ],
  lettersAndDigits: [
    ['A1', ok],
    ['abc', '必须同时包含字母和数字，且只能是字母和数字'],
    ['123', '必须同时包含字母和数字，且只能是字母和数字'],
    ['a1!', '必须同时包含字母和数字，且只能是字母和数字'],
  ],
  ip: [
    ['192.168.1.10', ok],
    ['0.0.0.0', ok],
    ['256.1.1.1', 'IP地址格式不正确，如 192.168.1.10'],
    ['1.2.3', 'IP地址格式不正确，如 192.168.1.10'],
    ['01.2.3.4', 'IP地址格式不正确，如 192.168.1.10'],
  ],
  url: [
    ['http://a.cn', ok],
    ['https://物业.中国/首页?a=1#b', ok],
    ['http://10.0.0.1:8080/x', ok],
    ['http://localhost', ok],
    ['ftp://a.cn', '网址格式不正确，应以 http:// 或 https:// 开头'],
    ['http://', '网址格式不正确，应以 http:// 或 https:// 开头'],
    ['http://a.cn/x y', '网址格式不正确，应以 http:// 或 https:// 开头'],
    ['http://a.cn:99999', '网址格式不正确，应以 http:// 或 https:// 开头'],
    ['javascript:alert(1)//http://a.cn', '网址格式不正确，应以 http:// 或 https:// 开头'],
  ],
  antenna: [
    ['1', ok],
    ['4', ok],
    ['0', '请输入1-4的数字'],
    ['5', '请输入1-4的数字'],
    ['1.0', '请输入1-4的数字'],
  ],
  zoneCode: [
    ['440304001001', ok],
    ['44030400100', '区域编码应为12位数字'],
    ['44030400100a', '区域编码应为12位数字'],
  ],
  number: [
    ['-1.5', ok],
    ['0', ok],
    ['1e5', '请输入数字'],
    ['0x10', '请输入数字'],
    ['1.', '请输入数字'],
    ['abc', '请输入数字'],
    ['Infinity', '请输入数字'],
  ],
  positiveInteger: [
    ['1', ok],
    ['9999999', ok],
    ['10000000', '请输入 1 到 9999999 的整数'],
    ['0', '请输入 1 到 9999999 的整数'],
    ['1.5', '请输入正整数'],
    ['-1', '请输入正整数'],
  ],
  decimal: [
    ['0.01', ok],
    ['999999998.99', ok],
    ['999999999', '必须大于0且小于999999999'],
    ['0', '必须大于0且小于999999999'],
    ['0.00', '必须大于0且小于999999999'],
    ['1.234', '最多两位小数'],
    ['-1', '不能为负数'],
    ['abc', '请输入数字'],
    ['', ok],
  ],
  decimalSmall: [
    ['99998.99', ok],
    ['99999', '必须大于0且小于99999'],
  ],
  amount: [
    ['0', ok],
    ['0.00', ok],
    ['-0.01', '不能为负数'],
    ['999999999', '必须小于999999999'],
  ],
  email: [
    ['a@b.cn', ok],
    ['first.last+x@mail.example.com', ok],
    ['a@b', '邮箱格式不正确'],
    ['a b@c.cn', '邮箱格式不正确'],
    ['@b.cn', '邮箱格式不正确'],
    ['a..b@c.cn', '邮箱格式不正确'],
  ],
  description: [
    ['一'.repeat(20), ok],
    ['一'.repeat(19), '描述至少 20 个字符'],
    [emoji.repeat(10), '描述至少 20 个字符'],
    [emoji.repeat(20), ok],
  ],
  date: [
    ['', '请选择日期'],
    ['2026-02-30', '请选择日期'],
    ['2026-02-28', ok],
  ],
}

for (const name of keysOfRecord(cases)) {
  it(`form rule ${name} (0§5)`, () => {
    for (const [value, message] of cases[name]) {
      expect([value, rules[name].test(value)]).toEqual([value, message])
    }
  })
}

it('says who is empty when a value is required', () => {
  expect(rules.mobile.test('', { required: true })).toBe('手机号不能为空')
  expect(rules.required.withOptions({ field: '房号' }).test('')).toBe('房号不能为空')
})

it('counts length in characters as people see them', () => {
  const two = rules.length.withOptions({ min: 2, max: 4 })
  expect(two.test('😀😀😀😀')).toBeUndefined()
  expect(two.test('一')).toBe('长度在 2 到 4 个字符')
  expect(two.test('12345')).toBe('长度在 2 到 4 个字符')
})

it('takes other bounds', () => {
  const floors = rules.positiveInteger.withOptions({ min: 2, max: 99 })
  expect([floors.test('1'), floors.test('2'), floors.test('99'), floors.test('100')]).toEqual([
    '请输入 2 到 99 的整数',
    undefined,
    undefined,
    '请输入 2 到 99 的整数',
  ])
})

it('reads birth and sex from an ID number', () => {
  expect(computeCheckDigit('11010519491231002')).toBe('X')
  expect(birthDateOf('11010519491231002X')).toBe('1949-12-31')
  expect([sexOf('11010519491231002X'), sexOf('11010519491231001X')]).toEqual([2, 1])
})

it('stays quick on hostile input', () => {
  const long = 'a'.repeat(50_000)
  for (const value of [
    long,
    `http://${'a.'.repeat(25_000)}`,
    `${'a-'.repeat(25_000)}@`,
    `a@${'a.'.repeat(25_000)}!`,
    '9'.repeat(50_000),
    '一·'.repeat(25_000),
    `${long}1!`,
  ]) {
    for (const name of keysOfRecord(rules)) {
      rules[name].test(value)
    }
  }
})
