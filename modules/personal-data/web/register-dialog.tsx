import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { registerErasure } from '../contract/erasure.ts'
import type { PersonKey } from './people.tsx'

/** A request of a person, or of somebody for the person, to erase what is kept. */
export const RegisterDialog = actionDialog({
  call: registerErasure,
  title: (person: PersonKey & { readonly name: string }) => `登记「${person.name || '联系人'}」的删除请求`,
  submitLabel: '登记',
  keys: [
    { key: 'personName', isHidden: values => values.personKind !== 'contact' },
    'applicant',
    {
      key: 'applicantName',
      isHidden: values => values.applicant === 'self' || values.applicant === 'company',
    },
    { key: 'reason', wide: true },
    { key: 'evidence', wide: true, control: imagesControl, help: '为本请求新上传的身份证件、委托书等的照片' },
  ],
  target: ({ personKind, personId, personMobile }) => ({
    personKind,
    personId,
    ...(personMobile === undefined ? {} : { personMobile }),
  }),
  doneText: () => '已登记删除请求，请核对后由他人审批',
})
