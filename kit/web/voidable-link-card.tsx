import { Button } from 'antd'
import type { Call } from '#kit/contract/call.ts'
import { LinkCards } from './link-cards.tsx'
import { Loaded } from './loaded.tsx'
import { useCall } from './query.ts'
import { confirmAndSend } from './record-actions.ts'

interface VoidableLinkTexts {
  /** Whose link it is: `一号楼大堂屏`. */
  readonly ownerName: string
  /** What it is called: `信息屏链接`. */
  readonly linkName: string
  readonly copiedText: string
  readonly reasonPresets: readonly string[]
  readonly voidConsequences: readonly string[]
  readonly renewConsequences: readonly string[]
  readonly renewedText: string
}

interface VoidableLinkCardProps<K> extends VoidableLinkTexts {
  readonly of: K
  readonly get: Call<K, { readonly url?: string | undefined; readonly isVoid: boolean }>
  readonly renew: Call<K & { readonly isVoid?: boolean; readonly reason: string }, unknown>
}

/** One link for people without an account, which staff can void or replace, with a reason. */
export function VoidableLinkCard<K extends object>(props: VoidableLinkCardProps<K>) {
  const { of, get, renew, ownerName, linkName, copiedText, reasonPresets } = props
  const link = useCall(get, of, { quiet: true, staleMs: 0 })
  const change = (isVoid: boolean): Promise<boolean> => {
    const label = isVoid ? '作废链接' : '重新生成'
    return confirmAndSend(renew, {
      unit: '个链接',
      reason: { presets: reasonPresets },
      actionLabel: label,
      okLabel: label,
      title: `${isVoid ? '作废' : '重新生成'}「${ownerName}」的${linkName}`,
      consequences: isVoid ? props.voidConsequences : props.renewConsequences,
      input: reason => ({ ...of, isVoid, reason }),
      doneText: isVoid ? '链接已作废' : props.renewedText,
      onDone: () => void link.refetch(),
    })
  }
  return (
    <Loaded query={link} height={160} rows={4}>
      {({ url, isVoid }) => (
        <LinkCards
          links={[{ placeName: ownerName, url }]}
          linkName={linkName}
          copiedText={copiedText}
          actionsOf={() => (
            <>
              <Button onClick={() => void change(false)}>重新生成</Button>
              {!isVoid && (
                <Button danger onClick={() => void change(true)}>
                  作废链接
                </Button>
              )}
            </>
          )}
        />
      )}
    </Loaded>
  )
}
