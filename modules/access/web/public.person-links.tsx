import { Button } from 'antd'
import { usePermission } from '#kit/web/session.ts'
import { LinkCards } from '#kit/web/link-cards.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { renewPersonLink, voidPersonLink, type LinkedPlace } from '../contract/person-link.ts'

interface PersonLink extends LinkedPlace {
  readonly placeName: string
  readonly hostName?: string | undefined
  readonly url?: string | undefined
  readonly isVoid: boolean
}

interface PersonLinkCardsProps {
  readonly links: readonly PersonLink[]
  readonly linkName: string
  readonly copiedText: string
  /** Once a link was made void or made again. */
  readonly onChanged: () => unknown
}

const shared = {
  unit: '个链接',
  reason: { presets: ['链接外泄', '手机丢失', '本人申请'] },
} as const

const ended = '通行链接与邀访链接一并失效，已出示的通行码随之更换'

function askVoid({ kind, id, placeName }: PersonLink, onDone: () => unknown): Promise<boolean> {
  return confirmAndSend(voidPersonLink, {
    ...shared,
    actionLabel: '作废链接',
    okLabel: '作废链接',
    title: `作废「${placeName}」的链接`,
    consequences: [ended, '重新生成之前，本人不能用手机开门、出示通行码和邀请访客'],
    input: { kind, id },
    doneText: '链接已作废',
    onDone,
  })
}

function askRenewal({ kind, id, placeName, isVoid }: PersonLink, onDone: () => unknown): Promise<boolean> {
  return confirmAndSend(renewPersonLink, {
    ...shared,
    actionLabel: '重新生成',
    okLabel: '重新生成',
    title: `重新生成「${placeName}」的链接`,
    consequences: isVoid ? ['重新生成后，请将新链接发给本人'] : [ended, '重新生成后，请将新链接发给本人'],
    input: { kind, id },
    doneText: '链接已重新生成，请发给本人',
    onDone,
  })
}

/** The links of a person, which those who may stop codes make void or make again. */
export function PersonLinkCards({ onChanged, ...cards }: PersonLinkCardsProps) {
  const canChange = usePermission()(voidPersonLink.needs)
  return (
    <LinkCards
      {...cards}
      {...(canChange && {
        actionsOf: (link: PersonLink) => (
          <>
            <Button onClick={() => void askRenewal(link, onChanged)}>重新生成</Button>
            {!link.isVoid && (
              <Button danger onClick={() => void askVoid(link, onChanged)}>
                作废链接
              </Button>
            )}
          </>
        ),
      })}
    />
  )
}
