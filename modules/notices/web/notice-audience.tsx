import { AudiencePreview, VariablesHelp } from '#modules/messaging/web/public.audience.tsx'
import type { PublicNotice } from '../contract/notice.ts'
import { channelsOf } from './message-channels.ts'

type Values = Partial<Pick<PublicNotice, 'scopeType' | 'scopeJson' | 'channels' | 'smsText'>>

/** Below the form: whom it reaches as it is filled in, and what that costs. */
export const NoticeAudiencePreview = ({ values }: { readonly values: Values }) => {
  const channels = channelsOf(values.channels)
  return (
    <AudiencePreview
      audience={{ scopeType: values.scopeType, scopeJson: values.scopeJson }}
      channels={channels.length ? channels : ['sms']}
      purpose="service"
      text={values.smsText}
    />
  )
}

/** Under the text of messages: what its receivers fill in, and how it is counted. */
export const smsTextHelp = (values: Values) => (
  <>
    <VariablesHelp audience={values} />
    ；短信按每 70 字计 1 条，超过 70 字按每 67 字计 1 条
  </>
)
