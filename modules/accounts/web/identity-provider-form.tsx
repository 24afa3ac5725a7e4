import Password from 'antd/es/input/Password'
import { ariaProps, type Control } from '#kit/web/controls/control-kinds.tsx'
import { readText } from '#kit/web/controls/read-value.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import {
  getIdentityProvider,
  identityProvider,
  saveIdentityProvider,
  type IdentityProvider,
} from '../contract/identity-provider.ts'

const SecretControl: Control = props => (
  <Password
    {...ariaProps(props)}
    autoComplete="off"
    value={readText(props.value) ?? ''}
    onChange={e => props.onChange(e.target.value)}
    onBlur={props.onBlur}
  />
)

const groups = [
  {
    title: '身份平台',
    keys: [
      'issuer' as const,
      'clientId' as const,
      { key: 'clientSecret', control: SecretControl } as const,
      'scopes' as const,
      'identityClaim' as const,
    ],
  },
  {
    title: '登录',
    keys: ['isEnabled', 'buttonText', 'siteUrl', 'matchBy', 'endsSession'] as const,
  },
]

interface EditIdentityProviderProps {
  readonly provider: IdentityProvider | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

const { fields } = identityProvider

/** What a first setting begins with. */
const initialProvider = (): Partial<IdentityProvider> => ({
  isEnabled: true,
  scopes: fields.scopes.initial,
  identityClaim: fields.identityClaim.initial,
  matchBy: 'none',
  buttonText: fields.buttonText.initial,
  siteUrl: location.origin,
  endsSession: true,
})

export const EditIdentityProvider = ({ provider, onClose, onDone }: EditIdentityProviderProps) => (
  <EditDialog
    shape={saveIdentityProvider.input}
    // A secret is no draft.
    draftKey={undefined}
    title="统一身份认证"
    presentation="drawer"
    initial={provider ?? initialProvider()}
    groups={groups}
    save={values =>
      sendAndInvalidate(
        saveIdentityProvider,
        provider ? { ...values, id: provider.id, version: provider.version } : values,
        { quiet: true },
      )
    }
    loadCurrent={async () => (await send(getIdentityProvider, undefined)).provider}
    onClose={onClose}
    onDone={onDone}
  />
)
