import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { filesControl } from '#kit/web/controls/file-upload.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { useCall } from '#kit/web/query.ts'
import { RichTextControl } from '#kit/web/rich-text/rich-text-control.tsx'
import { audienceFormFields } from '#modules/messaging/web/public.audience.tsx'
import { notices, type PublicNotice } from '../contract/notice.ts'
import { noticeTemplates } from '../contract/template.ts'
import { smsTextHelp } from './notice-audience.tsx'

/** As much as one upload takes. */
const maxFileBytes = 20 * 1_048_576

const sendsText = ({ channels }: { readonly channels?: unknown }): boolean =>
  Array.isArray(channels) && (channels.includes('sms') || channels.includes('wechat'))

export const noticeGroups = defineFormGroups([
  { title: '公告', keys: [{ key: 'title', wide: true }, 'noticeType', 'isTop', 'needConfirm'] },
  { title: '发给谁', keys: audienceFormFields },
  {
    title: '怎样发',
    keys: [
      { key: 'channels', wide: true },
      {
        key: 'smsText',
        help: smsTextHelp,
        wide: true,
        isRequired: true,
        isHidden: values => !sendsText(values),
      },
      'publishTime',
      'expireTime',
    ],
  },
  {
    title: '内容',
    keys: [
      { key: 'content', control: RichTextControl, wide: true },
      { key: 'cover', wide: true },
      { key: 'attachments', wide: true, control: filesControl(maxFileBytes), help: '每个不超过 20 MB' },
    ],
  },
])

const copiedKeys = [
  'title',
  'noticeType',
  'content',
  'cover',
  'attachments',
  'scopeType',
  'scopeJson',
  'channels',
  'smsText',
  'isTop',
  'needConfirm',
] as const

const copyOf = (notice: PublicNotice): Partial<PublicNotice> =>
  Object.fromEntries(copiedKeys.map(key => [key, notice[key]]))

/** A new notice begins with a template or a copy that the address names; `null` while that is fetched. */
export function useNoticeDraft(): Partial<PublicNotice> | null {
  const [params] = useSearchParams()
  const templateId = parseId(params.get('template'))
  const copyId = parseId(params.get('copy'))
  const template = useCall(noticeTemplates.get, { id: templateId }, { quiet: true, enabled: templateId > 0 })
  const copied = useCall(notices.get, { id: copyId }, { quiet: true, enabled: copyId > 0 })
  if (templateId > 0) {
    if (!template.data) return template.isError ? {} : null
    const { title, noticeType, content, smsText } = template.data
    return { title, noticeType, content, smsText }
  }
  if (copyId > 0) {
    if (!copied.data) return copied.isError ? {} : null
    return copyOf(copied.data)
  }
  return {}
}
