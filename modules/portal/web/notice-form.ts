import { filesControl } from '#kit/web/controls/file-upload.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { InternalNotice } from '../contract/notice.ts'

/** As much as one upload takes. */
const maxFileBytes = 20 * 1_048_576

type Audience = InternalNotice['audience']

const isHiddenUnless =
  (audience: Audience) =>
  (values: { readonly audience?: unknown }): boolean =>
    values.audience !== audience

export const noticeGroups: readonly FormFieldGroup[] = [
  {
    keys: [
      { key: 'title', wide: true },
      'isImportant',
      { key: 'audience', wide: true },
      { key: 'departmentIds', wide: true, isHidden: isHiddenUnless('departments') },
      { key: 'tags', wide: true, isHidden: isHiddenUnless('tags') },
      { key: 'staffIds', wide: true, isHidden: isHiddenUnless('people') },
      { key: 'content', wide: true },
      { key: 'attachments', wide: true, control: filesControl(maxFileBytes), help: '每个不超过 20 MB' },
    ],
  },
]
