export { useChosenProject as useProject } from '#kit/web/chosen-project.ts'
