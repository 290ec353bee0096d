import sharp from 'sharp';

/** Formats that are opened. Others, such as SVG, would be opened by what their bytes say. */
const OPENED = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: OPENED.map((name) => `VipsForeignLoad${name}`) });
// One file at a time, at low priority: nothing is gained by threads or by remembering.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
