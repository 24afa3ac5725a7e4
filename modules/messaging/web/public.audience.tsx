/** What other modules' screens may use to choose whom a message goes to. */
export {
  AudienceControl,
  AudienceControl as AudienceFields,
  audienceFormFields,
} from './audience-control.tsx'
export { AudiencePreview, type AudiencePreviewProps } from './audience-preview.tsx'
