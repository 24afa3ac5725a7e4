import { AudiencePreview } from '#modules/messaging/web/public.audience.tsx'
import { channelsOf } from './message-channels.ts'

interface Values {
  readonly scopeType?: any
  readonly scopeJson?: any
  readonly channels?: unknown
  readonly smsText?: unknown
}

/** Below the form: whom it reaches as it is filled in, and what that costs. */
export const NoticeAudiencePreview = ({ values }: { readonly values: Values }) => {
  const channels = channelsOf(values.channels)
  return (
    <AudiencePreview
      audience={{ scopeType: values.scopeType, scopeJson: values.scopeJson }}
      channels={channels.length ? channels : ['sms']}
      purpose="service"
      text={typeof values.smsText === 'string' ? values.smsText : undefined}
    />
  )
}
