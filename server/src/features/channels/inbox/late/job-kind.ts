export const LATE_FILE = 'bring_late_file';
