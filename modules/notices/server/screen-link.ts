import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import { createVoidableLink } from '#kit/server/voidable-link.ts'
import { paths } from '../module.ts'

/** The page of a lobby screen. */
export const screenLink = createVoidableLink({
  purpose: 'notice-screen',
  letter: 's',
  page: paths.screen,
  table: 'notice_screen_link',
  idColumn: 'screen_id',
  invalid: () => new UnknownSecret('信息屏链接无效或已失效，请向物业重新索取', resultCode.notFound),
})
