import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { AuthTextField, CurrentPasswordField, NewPasswordFields } from './auth-form.tsx'
import { PasswordInput } from './auth-layout.tsx'
import { namesField } from './sms-field.tsx'

const nothing = (): void => {}

/** How many stars are drawn, and how many controls say that they are required. */
const countMarks = (markup: string): readonly [stars: number, required: number] => [
  markup.split('class="required-star"').length - 1,
  markup.split('aria-required="true"').length - 1,
]

it('a required field outside the shell carries the star and says so, an optional one does neither', () => {
  const field = (required: boolean): string =>
    renderToStaticMarkup(
      <AuthTextField label="公司名称" required={required} fault={undefined} value="" onChange={nothing} />,
    )
  expect([field(true), field(false)].map(countMarks)).toEqual([
    [1, 1],
    [0, 0],
  ])
  // The star is no part of the name.
  expect(field(true)).toMatch(/<label[^>]*>公司名称<\/label>/)
})

it('passwords that are chosen or confirmed carry the star, the password of a sign-in does not', () => {
  const chosen = renderToStaticMarkup(
    <NewPasswordFields
      label="密码"
      password=""
      again=""
      faults={{}}
      onPassword={nothing}
      onAgain={nothing}
    />,
  )
  const current = renderToStaticMarkup(<CurrentPasswordField fault={undefined} value="" onChange={nothing} />)
  const signIn = renderToStaticMarkup(<PasswordInput label="密码" value="" onChange={nothing} />)
  expect([chosen, current, signIn].map(countMarks)).toEqual([
    [2, 2],
    [1, 1],
    [0, 0],
  ])
})

it('a refusal of a code that names the address is shown there, not at the picture', () => {
  const ofAddress = new Refused(resultCode.refused, '邮箱不存在或不收信', { Field: 'Email' })
  const ofPicture = new Refused(resultCode.refused, '图形验证码不正确', { Field: 'Captcha' })
  expect([ofAddress, ofPicture, new Error('网络中断')].map(error => namesField(error, 'Email'))).toEqual([
    true,
    false,
    false,
  ])
})
