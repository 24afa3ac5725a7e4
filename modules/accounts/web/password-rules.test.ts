import { expect, it } from 'vitest'
import { findNewPasswordFaults } from './password-rules.ts'

const typed = { label: '密码', password: 'Anju2026', again: 'Anju2026', loginCode: 'boss' }

it('both fields of a new password say by their own names that they are empty', () => {
  expect(findNewPasswordFaults({ ...typed, password: '', again: '' })).toEqual({
    Password: '请输入密码',
    again: '请再次输入密码',
  })
  expect(findNewPasswordFaults({ ...typed, label: '新密码', again: '' })).toEqual({
    again: '请再次输入新密码',
  })
})

it('a password typed otherwise the second time is refused there, a good one is not', () => {
  expect(findNewPasswordFaults({ ...typed, again: 'Anju2027' })).toEqual({ again: '两次输入的密码不一致' })
  expect(findNewPasswordFaults(typed)).toEqual({})
})

it('the rules of passwords are shown at the first field (PERM-9)', () => {
  expect(findNewPasswordFaults({ ...typed, old: 'Anju2026' })).toEqual({ Password: '新密码不能与原密码相同' })
})
