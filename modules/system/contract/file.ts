import { publicAccess, call, everyone } from '#kit/contract/call.ts'
import { idOf, int, list, text } from '#kit/contract/field.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'

const fileKeyField = text('文件', { required: true, max: 40, wire: 'Key' })

/** Good for an hour or two without a token: the `src` of a picture. */
const signedUrlField = text('地址', { required: true, wire: 'Url' })

/** Pictures and papers beside a record. What a form accepts (pictures of 2,048 KB) is the picker's rule. */
export const uploadFile = call({
  route: 'POST File/UploadAttachment',
  title: '上传附件',
  needs: everyone,
  openToKeys: true,
  upload: 20 * 1048576,
  input: shape({}),
  output: shape({
    key: fileKeyField,
    name: text('文件名', { required: true }),
    type: text('类型', { required: true }),
    size: int('大小', { required: true, unit: 'B' }),
    url: signedUrlField,
  }),
})

/**
 * With a token a file that the operator stored today, or one of a record that the caller may see; with a
 * signed address this one.
 */
export const getFile = call({
  route: 'GET File/Get',
  title: '读取文件',
  needs: publicAccess,
  input: shape({
    key: fileKeyField,
    ownerId: idOf('公司', { wire: 'Owner' }),
    until: int('有效至', { wire: 'Until' }),
    sign: text('签名', { max: 64, wire: 'Sign' }),
  }),
  output: fileResponse,
})

/** Of those that the caller may open; the others are left out. */
export const getFileUrls = call({
  route: 'GET File/GetUrls',
  title: '取文件地址',
  needs: everyone,
  openToKeys: true,
  input: shape({ keys: list('文件', { required: true, max: 200, wire: 'Keys' }) }),
  output: listOfRows({
    key: fileKeyField,
    name: text('文件名', { required: true }),
    type: text('类型', { required: true }),
    size: int('大小', { required: true }),
    url: signedUrlField,
  }),
})
